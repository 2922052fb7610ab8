"""Keeping through trouble: files that others hold, full disks, damage, and work that was broken off."""
