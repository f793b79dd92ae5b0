"""Anchors of the search: an empty DRF view, and a list with filters and pages."""

import django_filters
from django.urls import path
from django_filters.rest_framework import DjangoFilterBackend
from rest_framework import generics, pagination, serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.urls import urlpatterns as service
from reviews.models import Review


class EmptyView(APIView):
    def get(self, request: Request) -> Response:
        return Response({})


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


urlpatterns = [path("empty", EmptyView.as_view()), path("naive", NaiveList.as_view()), *service]
