package dev.peregrine.base;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The hash function SHA-256. */
public final class Sha256 {
  private Sha256() {}

  /** Returns a new digest. */
  public static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) { // every JDK has it
      throw new IllegalStateException(impossible);
    }
  }
}
