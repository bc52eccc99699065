"""The house's password: kept as a hash that is slow to make, and compared without telling how far it was
right."""

import hashlib
import hmac
import secrets
import unicodedata

# 16 MB and a twentieth of a second: nothing for one who knows it, much for one who tries a million.
_LOG_N, _R, _P = 14, 8, 1
_SALT_BYTES, _HASH_BYTES = 16, 32


def hashed(password: str) -> str:
    """A password as it is kept: "scrypt$14$8$1$SALT$HASH"."""
    salt = secrets.token_bytes(_SALT_BYTES)
    return f"scrypt${_LOG_N}${_R}${_P}${salt.hex()}${_scrypt(password, salt, _LOG_N, _R, _P).hex()}"


def matches(password: str, kept: str) -> bool:
    """Whether this is the password; never, where none is kept."""
    if not kept:
        return False
    _, log_n, r, p, salt, wanted = kept.split("$")
    made = _scrypt(password, bytes.fromhex(salt), int(log_n), int(r), int(p))
    return hmac.compare_digest(made, bytes.fromhex(wanted))


def _scrypt(password: str, salt: bytes, log_n: int, r: int, p: int) -> bytes:
    # Letters that look alike are alike, however a keyboard makes them.
    data = unicodedata.normalize("NFKC", password).encode(errors="replace")
    return hashlib.scrypt(data, salt=salt, n=1 << log_n, r=r, p=p, maxmem=1 << 26, dklen=_HASH_BYTES)
