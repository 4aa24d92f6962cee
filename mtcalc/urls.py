"""The admin, and all else in the calculators' own addresses."""

from django.conf import settings
from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path(settings.MTCALC_ADMIN_PATH, admin.site.urls),
    path("", include("calculators.urls")),
]
