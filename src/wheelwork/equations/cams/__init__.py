"""What cams are made of: outlines, splines, the row of a contact and its search. The cams are elements."""
