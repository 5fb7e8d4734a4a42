"""How each suite is put together from engines, sources and settings: the rooms of the composition root."""
