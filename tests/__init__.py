"""Our tests, also for what runs beside them: a package of this name that something else installs must not stand in."""
