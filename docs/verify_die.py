"""Recomputes dice, turn key and commitment of one turn from its record, as docs/dice.md states them.

Usage: python3 verify_die.py < turn.json
{"game": ..., "turn": ..., "seed": hex, "seats": [[nonce hex, envelope hash hex], ...], "dice": [[phase, purpose, [key parts], n], ...]}
"""
import hashlib, hmac, json, sys

turn = json.load(sys.stdin)
seed, game, number = bytes.fromhex(turn["seed"]), turn["game"].encode(), turn["turn"].to_bytes(4, "big")
print("commitment", hashlib.sha256(seed + game + number).hexdigest())
sealed = b"".join(bytes.fromhex(nonce) + bytes.fromhex(envelope) for nonce, envelope in turn["seats"])
message = b"picket turn key 1" + len(game).to_bytes(4, "big") + game + number + len(turn["seats"]).to_bytes(4, "big")
key = hmac.new(seed, message + sealed, "sha256").digest()
print("turn key", key.hex())
for die in turn["dice"]:
    names = (json.dumps([*die, counter], separators=(",", ":"), ensure_ascii=False) for counter in range(1 << 32))
    byte = next(b for b in (hmac.new(key, name.encode(), "sha256").digest()[0] for name in names) if b < 252)
    print("die", json.dumps(die, separators=(",", ":"), ensure_ascii=False), byte % 6 + 1)
