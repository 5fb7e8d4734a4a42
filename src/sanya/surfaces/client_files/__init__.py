"""Changes to the configuration files of AI clients, which leave everything else in them as it is."""
