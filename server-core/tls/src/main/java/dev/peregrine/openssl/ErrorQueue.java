package dev.peregrine.openssl;

import static dev.peregrine.openssl.Downcall.call;

import org.jspecify.annotations.Nullable;

/**
 * OpenSSL's queue of errors, of which each thread has one. OpenSSL recognizes a failure by an error
 * in the queue, so an old one would fail any session of the thread. The application may use OpenSSL
 * on the thread too. So each call that may fail begins with an empty queue, and each failure is
 * read at once, which empties the queue.
 */
final class ErrorQueue {
  private static final long REASON_MASK = 0x7F_FFFF;

  private ErrorQueue() {}

  /** Empties the queue. It mostly is empty, and to look costs a tenth of clearing it. */
  static void clear() {
    if (call(Functions.ERR_PEEK_ERROR) != 0) {
      call(Functions.ERR_CLEAR_ERROR);
    }
  }

  /** Removes all errors. Returns the code of the first one, the cause of the others; or 0. */
  static long drain() {
    long first = call(Functions.ERR_GET_ERROR);
    clear();
    return first;
  }

  /** Returns the reason within a code, with its number in the headers of OpenSSL. */
  static int reason(long code) {
    return (int) (code & REASON_MASK);
  }

  /** Returns the text of a code, such as {@code no shared cipher}. */
  static String describe(long code) {
    @Nullable String text = Pointers.text(call(Functions.ERR_REASON_ERROR_STRING, code));
    return text != null ? text : "error " + Long.toHexString(code);
  }

  /** Returns the exception for a call that has failed, and empties the queue. */
  static OpenSslException failure(String message) {
    long code = drain();
    return new OpenSslException(code == 0 ? message : message + ": " + describe(code));
  }
}
