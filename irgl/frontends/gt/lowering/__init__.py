"""From GraphIt's syntax to irgl's."""
