"""Requests that the WebSub hub posts to subscribers."""

from config.openapi.responses import Described
from reviews.schemas import STRING, described, ref

WEBHOOKS: Described = {"topicUpdated": {"$ref": "#/components/pathItems/TopicUpdated"}}

PATH_ITEMS: Described = {
    "TopicUpdated": {
        "post": {
            "operationId": "topicUpdated",
            "tags": ["webhooks"],
            "summary": "A topic has new content",
            "description": (
                "WebSub: the hub posts the whole new document to every verified callback of the "
                "topic. Three deliveries in a row without a 2xx answer end the subscription."
            ),
            "parameters": [
                {
                    "name": "Link",
                    "in": "header",
                    "required": True,
                    "description": "The hub (rel=hub) and the topic (rel=self).",
                    "schema": STRING,
                    "example": (
                        '<{base_url}/api/websub/hub>; rel="hub", '
                        '<{base_url}/reviews.json>; rel="self"'
                    ),
                },
                {
                    "name": "X-Hub-Signature",
                    "in": "header",
                    "required": False,
                    "description": "HMAC of the body, if the subscription has a secret.",
                    "schema": {"type": "string", "pattern": "^sha(1|256|384|512)=[0-9a-f]+$"},
                },
            ],
            "requestBody": {
                "required": True,
                "content": {
                    "application/json": {"schema": ref("TopicContent")},
                    "application/atom+xml": {
                        "schema": STRING | described("The Atom feed (RFC 4287).")
                    },
                },
            },
            "responses": {
                "2XX": {"description": "Acknowledged; the body is not read."},
                "410": {"description": "Ends the subscription at once."},
                "default": {"description": "A miss: the delivery is tried again later."},
            },
        }
    }
}
