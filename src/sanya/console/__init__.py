"""What people see: built pages, made from `web/`. Users need no build step."""
