package dev.peregrine.protocol;

import dev.peregrine.protocol.grammar.CharClass;
import dev.peregrine.protocol.grammar.Swar;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Checks of text to be sent, so that it cannot end a line. */
public final class FieldSyntax {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private FieldSyntax() {}

  /** Returns true if the text is a token: not empty, and only tchar (RFC 9110 section 5.6.2). */
  public static boolean isToken(CharSequence text) {
    return !text.isEmpty() && isAll(CharClass.TOKEN, text);
  }

  /**
   * Returns true if the text, sent as Latin-1, can be a field value: visible characters, SP, HTAB
   * and U+0080 to U+00FF; no other control (RFC 9110 section 5.5). It may be empty, and may have
   * whitespace at its ends, which a recipient drops.
   */
  public static boolean isFieldValue(CharSequence text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      // two comparisons accept the common characters, which takes less time than the table
      if ((c < ' ' || c > '~') && !CharClass.FIELD_VALUE.contains(c)) {
        return false;
      }
    }
    return true;
  }

  /** Like {@link #isToken(CharSequence)}, for bytes. */
  public static boolean isToken(byte[] bytes, int from, int to) {
    return from < to && isAll(CharClass.TOKEN, bytes, from, to);
  }

  /** Like {@link #isFieldValue(CharSequence)}, for bytes. */
  public static boolean isFieldValue(byte[] bytes, int from, int to) {
    return isPlain(bytes, from, to) || isAll(CharClass.FIELD_VALUE, bytes, from, to);
  }

  /**
   * Returns true if the range has at least eight bytes, and none is a control or DEL. All words are
   * tested before any result is used, so that C2 makes vectors of them (TextKernelBenchmark).
   */
  private static boolean isPlain(byte[] bytes, int from, int to) {
    int last = to - Long.BYTES;
    if (last < from) {
      return false;
    }
    long odd = Swar.oddInFieldValue((long) LONG.get(bytes, last));
    for (int at = from; at < last; at += Long.BYTES) {
      odd |= Swar.oddInFieldValue((long) LONG.get(bytes, at));
    }
    return odd == 0;
  }

  private static boolean isAll(CharClass charClass, CharSequence text) {
    for (int i = 0; i < text.length(); i++) {
      if (!charClass.contains(text.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isAll(CharClass charClass, byte[] bytes, int from, int to) {
    for (int i = from; i < to; i++) {
      if (!charClass.contains(bytes[i])) {
        return false;
      }
    }
    return true;
  }
}
