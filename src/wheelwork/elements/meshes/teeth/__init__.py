"""Models of teeth, one file each, and what they are made of; the laws of contact are in folders of their own."""
