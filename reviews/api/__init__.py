"""The reviews over HTTP: serializers of bodies, views, and the reviews since a day."""
