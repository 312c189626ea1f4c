package dev.peregrine.cli.rules;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The hash of a password: PBKDF2 with HMAC-SHA-256 (RFC 8018 section 5.2), as {@code
 * $pbkdf2-sha256$i=ROUNDS$SALT$HASH}, with salt and hash in Base64 without padding. Immutable.
 */
public final class PasswordHash {
  /** The rounds of new hashes. */
  public static final int ROUNDS = 600_000;

  static final int ROUNDS_MIN = 10_000;
  static final int ROUNDS_MAX = 10_000_000;

  private static final int SALT_BYTES = 16;
  private static final int HASH_BYTES = 32;
  private static final String START = "$pbkdf2-sha256$i=";
  private static final Pattern FORM =
      Pattern.compile("\\$pbkdf2-sha256\\$i=(\\d{1,9})\\$([A-Za-z0-9+/]+)\\$([A-Za-z0-9+/]{43})");

  private final int rounds;
  private final byte[] salt;
  private final byte[] hash;

  private PasswordHash(int rounds, byte[] salt, byte[] hash) {
    this.rounds = rounds;
    this.salt = salt;
    this.hash = hash;
  }

  /** Hashes a password with a new salt. */
  public static PasswordHash create(String password, int rounds) {
    byte[] salt = new byte[SALT_BYTES];
    new SecureRandom().nextBytes(salt);
    return new PasswordHash(rounds, salt, derive(password, salt, rounds));
  }

  /** Reads a hash as {@link #toString} writes it; returns null if the text is another one. */
  static @Nullable PasswordHash parse(String text) {
    Matcher parts = FORM.matcher(text);
    if (!parts.matches()) {
      return null;
    }
    int rounds = Integer.parseInt(parts.group(1));
    try {
      byte[] salt = Base64.getDecoder().decode(parts.group(2));
      byte[] hash = Base64.getDecoder().decode(parts.group(3));
      boolean inRange = rounds >= ROUNDS_MIN && rounds <= ROUNDS_MAX && salt.length >= 8;
      return inRange ? new PasswordHash(rounds, salt, hash) : null;
    } catch (IllegalArgumentException notBase64) {
      return null;
    }
  }

  int rounds() {
    return rounds;
  }

  /**
   * Returns true if a password has this hash. The time depends on the number of rounds only.
   *
   * @param roundsAtLeast the work that is done in any case
   */
  boolean matches(String password, int roundsAtLeast) {
    boolean same = MessageDigest.isEqual(hash, derive(password, salt, rounds));
    if (roundsAtLeast > rounds) {
      byte[] ignored = derive(password, salt, roundsAtLeast - rounds);
    }
    return same;
  }

  static byte[] derive(String password, byte[] salt, int rounds) {
    PBEKeySpec spec = new PBEKeySpec(password.toCharArray(), salt, rounds, HASH_BYTES * Byte.SIZE);
    try {
      return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256").generateSecret(spec).getEncoded();
    } catch (GeneralSecurityException absent) {
      throw new IllegalStateException("this JDK has no PBKDF2WithHmacSHA256", absent);
    } finally {
      spec.clearPassword();
    }
  }

  /** Returns the text for a file of users. */
  @Override
  public String toString() {
    Base64.Encoder base64 = Base64.getEncoder().withoutPadding();
    return START + rounds + "$" + base64.encodeToString(salt) + "$" + base64.encodeToString(hash);
  }
}
