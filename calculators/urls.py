"""The addresses of the calculators and their API."""

from django.urls import include, path, re_path

from . import api, site_map, views
from .files import views as files
from .gate import views as gate

urlpatterns = [
    path("", views.home, name="home"),
    path("healthz", views.healthz, name="healthz"),
    path("favicon.ico", views.favicon, name="favicon"),
    path("robots.txt", site_map.robots, name="robots"),
    path("sitemap.xml", site_map.sitemap, name="sitemap"),
    path("about/", views.site_page, {"name": "about"}, name="about"),
    path("privacy/", views.site_page, {"name": "privacy"}, name="privacy"),
    path("files/", files.files, name="files"),
    path("files/download/", files.files_download, name="files-download"),
    path("gate/", gate.gate, name="gate"),
    path("gate/report.json", gate.report_file, name="gate-report"),
    path("api/", views.api_docs, name="api-docs"),
    path("api/openapi.json", api.document, name="openapi"),
    path("api/v1/metrics", api.metrics, name="api-metrics"),
    path("api/v1/gate", gate.gate_api, name="api-gate"),
    path("api/v1/<str:slug>/score", api.score, name="api-score"),
    path("api/v1/<str:slug>/corpus", api.corpus, name="api-corpus"),
    re_path(r"^api/v1/", api.nowhere),
    path("feedback/", include("calculators.feedback.urls")),
    path("<slug:slug>/", views.calculator, name="calculator"),
    path("<slug:slug>/receipt.<str:ending>", views.receipt, name="receipt"),
    path("<slug:slug>/recipe-<int:number>", views.recipe, name="recipe"),
]
