blind
