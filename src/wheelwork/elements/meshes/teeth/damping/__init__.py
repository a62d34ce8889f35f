"""Laws of tooth contact: what the rate of depth adds, one file each."""
