-- The language that direct messages speak.

ALTER TABLE person ADD COLUMN locale TEXT;     -- Discord's code of it, as of their last press; NULL: not known
