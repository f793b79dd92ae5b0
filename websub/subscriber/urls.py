from django.urls import path

from websub.subscriber.views import callback

app_name = "websub_subscriber"

urlpatterns = [path("<str:token>", callback, name="callback")]
