"""What Discord sees: slash commands, buttons, direct messages. One cog a concern."""
