"""Laws of tooth contact: force from depth, one file each."""
