package dev.peregrine.cli;

import dev.peregrine.cli.rules.PasswordHash;
import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads a password and hashes it. */
final class PasswordEntry {
  private static final int BYTES_MAX = 512;

  private PasswordEntry() {}

  /**
   * Returns the hash of a password that is typed twice, or of the first line of the input if that
   * isn't a terminal.
   *
   * @throws IllegalArgumentException if the password is empty, too long, or has control characters
   */
  static PasswordHash read(InputStream input, PrintStream prompts) {
    // Without a terminal there is none, or one that isn't a terminal: that depends on the JDK.
    Optional<Console> terminal = Optional.ofNullable(System.console()).filter(Console::isTerminal);
    String password = terminal.isPresent() ? typed(terminal.get(), prompts) : firstLine(input);
    if (password == null || password.isEmpty()) {
      throw new IllegalArgumentException("the password is empty");
    }
    if (password.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException("the password has control characters");
    }
    if (password.getBytes(StandardCharsets.UTF_8).length > BYTES_MAX) {
      throw new IllegalArgumentException("the password has more than " + BYTES_MAX + " bytes");
    }
    return PasswordHash.create(password, PasswordHash.ROUNDS);
  }

  private static @Nullable String typed(Console console, PrintStream prompts) {
    prompts.print("Password: ");
    char[] first = console.readPassword();
    prompts.print("Once more: ");
    char[] second = console.readPassword();
    if (!Arrays.equals(first, second)) {
      throw new IllegalArgumentException("the passwords differ");
    }
    return first == null ? null : String.valueOf(first);
  }

  private static @Nullable String firstLine(InputStream input) {
    try {
      return new BufferedReader(new InputStreamReader(input, StandardCharsets.UTF_8)).readLine();
    } catch (IOException failure) {
      throw new UncheckedIOException("standard input can't be read", failure);
    }
  }
}
