"""The built pages of the console and the widgets. `make web` builds them from `web/`; users need no build step."""
