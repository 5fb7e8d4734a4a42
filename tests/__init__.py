"""Our tests, also for what is run beside them: a package of this name that something else installs must not stand in."""
