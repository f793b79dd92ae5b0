"""The anchors of the search benchmark: a view that does nothing, and the list one writes first."""

import django_filters
from django.http import HttpRequest, HttpResponse
from django.urls import path
from django_filters.rest_framework import DjangoFilterBackend
from rest_framework import generics, pagination, serializers

from config.urls import urlpatterns as service
from reviews.models import Review


def empty(request: HttpRequest) -> HttpResponse:
    return HttpResponse(b"{}", content_type="application/json")


class NaiveSerializer(serializers.ModelSerializer):
    class Meta:
        model = Review
        fields = ["ulid", "author", "rating", "date", "text", "source", "source_url", "reply_text",
                  "reply_date", "verified"]  # fmt: skip


class NaiveFilter(django_filters.FilterSet):
    text = django_filters.CharFilter(lookup_expr="icontains")
    rating = django_filters.NumberFilter()


class NaivePages(pagination.PageNumberPagination):
    page_size = 20


class NaiveList(generics.ListAPIView):
    queryset = Review.objects.filter(hidden=False).order_by("-date", "-ulid")
    serializer_class = NaiveSerializer
    filter_backends = [DjangoFilterBackend]
    filterset_class = NaiveFilter
    pagination_class = NaivePages


urlpatterns = [path("empty", empty), path("naive", NaiveList.as_view()), *service]
