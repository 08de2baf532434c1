-- Cuts: what each person has cut the deck with, and where they stood in the lobby when the seats were drawn.

ALTER TABLE seat ADD COLUMN cut TEXT;          -- one line of text; NULL: has not cut
ALTER TABLE seat ADD COLUMN came INTEGER;      -- place in the lobby, from 0; NULL: the seats were not drawn, or before this
