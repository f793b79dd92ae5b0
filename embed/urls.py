from django.urls import path

from embed import views

app_name = "embed"

urlpatterns = [
    path("embed", views.frame, name="frame"),
    path("embed.html", views.fragment, name="fragment"),
    path("embed.css", views.style_sheet, name="styles"),
    path("embed/widget.json", views.widget_json, name="widget"),
    path("badge.svg", views.badge_svg, name="badge-svg"),
    path("badge.png", views.badge_png, name="badge-png"),
    path("oembed", views.oembed_json, name="oembed"),
]
