"""The rules of Tarneeb, pure: cards in, cards out. No Django, no clock, no chance of their own."""
