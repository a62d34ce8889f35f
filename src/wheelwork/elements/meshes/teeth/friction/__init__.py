"""Laws of tooth contact: how friction follows the speed of sliding, one file each."""
