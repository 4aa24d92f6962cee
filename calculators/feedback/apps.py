"""The admin, with this site's own front page and a throttled log-in."""

from django.contrib.admin.apps import AdminConfig


class ModerationAdminConfig(AdminConfig):
    """Django's admin on the site class of this project."""

    default_site = "calculators.feedback.site.ModerationSite"
