"""The addresses of feedback, under ``/feedback/``."""

from django.urls import path

from . import views
from .feeds import comments_feed

app_name = "feedback"

urlpatterns = [
    path("atom.xml", comments_feed, name="feed"),
    path("yours/<str:token>/", views.yours, name="yours"),
    path("yours/<str:token>/delete/", views.withdraw, name="withdraw"),
    path("report/<slug:reference>/", views.report, name="report"),
    path("<slug:page>/", views.tool, name="tool"),
    path("<slug:page>/atom.xml", comments_feed, name="tool-feed"),
]
