package dev.peregrine.openssl;

import static dev.peregrine.openssl.Downcall.call;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * The functions that OpenSSL calls during a handshake: one of each kind for the whole process. The
 * data of each context is in native memory that OpenSSL passes to them. They never throw, because
 * that would end the process.
 */
@SuppressWarnings("restricted") // OpenSsl checks native access first
final class Callbacks {
  // SSL_TLSEXT_ERR
  private static final int OK = 0;
  private static final int ALERT_FATAL = 2;
  private static final int NOT_ACKNOWLEDGED = 3;

  private static final int CTRL_SET_STATUS_RESPONSE = 71;
  private static final int CLASS_SSL_CTX = 1;
  private static final int NEGOTIATED = 1;
  private static final int IV_BYTES = 16;

  // Results of the ticket callback
  private static final int FAILED = -1;
  private static final int UNKNOWN_KEY = 0;
  private static final int DONE = 1;
  private static final int DONE_RENEW = 2;

  /** The index at which a context keeps the address of its ticket keys. */
  static final int KEYS_INDEX =
      (int) call(Functions.CRYPTO_GET_EX_NEW_INDEX, CLASS_SSL_CTX, 0, 0, 0, 0, 0);

  private static final long CIPHER = fetchCipher();

  /** {@code SSL_CTX_alpn_select_cb_func}. */
  static final long SELECT_PROTOCOL =
      link("selectProtocol", long.class, long.class, long.class, long.class, int.class, long.class);

  /** The callback of {@code SSL_CTX_set_tlsext_status_cb}. */
  static final long STAPLE = link("staple", long.class, long.class);

  /** {@code SSL_CTX_tlsext_ticket_key_evp_cb_func}. */
  static final long TICKET =
      link("ticket", long.class, long.class, long.class, long.class, long.class, int.class);

  private Callbacks() {}

  private static long fetchCipher() {
    try (Arena arena = Arena.ofConfined()) {
      long name = arena.allocateFrom("AES-256-CBC").address();
      return call(Functions.EVP_CIPHER_FETCH, 0, name, 0);
    }
  }

  private static long link(String name, Class<?>... parameters) {
    try {
      MethodHandle target =
          MethodHandles.lookup()
              .findStatic(Callbacks.class, name, MethodType.methodType(int.class, parameters));
      ValueLayout[] layouts = new ValueLayout[parameters.length];
      for (int i = 0; i < parameters.length; i++) {
        layouts[i] = parameters[i] == int.class ? ValueLayout.JAVA_INT : ValueLayout.JAVA_LONG;
      }
      FunctionDescriptor type = FunctionDescriptor.of(ValueLayout.JAVA_INT, layouts);
      return Linker.nativeLinker().upcallStub(target, type, Arena.global()).address();
    } catch (ReflectiveOperationException impossible) {
      throw new LinkageError("a callback can't be linked", impossible);
    }
  }

  /**
   * Selects the first protocol of the server that the client offers (RFC 7301); without one, the
   * handshake fails with {@code no_application_protocol}.
   *
   * @param argument points to a size, followed by the protocols in their wire format
   */
  @SuppressWarnings("unused") // called through link
  private static int selectProtocol(
      long ssl, long out, long outBytes, long offered, int offeredBytes, long argument) {
    try {
      long own = argument + Long.BYTES;
      long ownBytes = Pointers.get(argument);
      long result =
          call(
              Functions.SSL_SELECT_NEXT_PROTO, out, outBytes, own, ownBytes, offered, offeredBytes);
      return (int) result == NEGOTIATED ? OK : ALERT_FATAL;
    } catch (Throwable failure) {
      return ALERT_FATAL;
    }
  }

  /**
   * Passes the OCSP response to a client that requests it (RFC 6066), unless it has expired.
   *
   * @param argument points to a size, followed by the end of its time and the response
   */
  @SuppressWarnings("unused") // called through link
  private static int staple(long ssl, long argument) {
    try {
      long bytes = Pointers.get(argument) - Long.BYTES;
      long untilSeconds = Pointers.get(argument + Long.BYTES);
      if (System.currentTimeMillis() / 1000 >= untilSeconds) {
        return NOT_ACKNOWLEDGED;
      }
      long response = argument + 2 * Long.BYTES;
      long copy = call(Functions.CRYPTO_MEMDUP, response, bytes, 0, 0); // SSL frees it
      if (copy == 0) {
        return NOT_ACKNOWLEDGED;
      }
      long set = call(Functions.SSL_CTRL, ssl, CTRL_SET_STATUS_RESPONSE, bytes, copy);
      return set == 1 ? OK : NOT_ACKNOWLEDGED;
    } catch (Throwable failure) {
      return NOT_ACKNOWLEDGED;
    }
  }

  /** Prepares the ciphers for a ticket, with the current key or the one that the ticket names. */
  @SuppressWarnings("unused") // called through link
  private static int ticket(long ssl, long name, long iv, long cipher, long mac, int encrypts) {
    try {
      long context = call(Functions.SSL_GET_SSL_CTX, ssl);
      long keys = call(Functions.SSL_CTX_GET_EX_DATA, context, KEYS_INDEX);
      long current = Pointers.get(keys + TicketKeys.CURRENT);
      if (encrypts != 0) {
        return encrypt(current, name, iv, cipher, mac) ? DONE : FAILED;
      }
      if (isNamed(current, name)) {
        // A ticket of TLS 1.3 is used once.
        int done =
            (int) call(Functions.SSL_VERSION, ssl) < ContextBuilder.TLS_1_3 ? DONE : DONE_RENEW;
        return decrypt(current, iv, cipher, mac) ? done : FAILED;
      }
      long previous = Pointers.get(keys + TicketKeys.PREVIOUS);
      if (isNamed(previous, name)) {
        return decrypt(previous, iv, cipher, mac) ? DONE_RENEW : FAILED;
      }
      return UNKNOWN_KEY;
    } catch (Throwable failure) {
      return FAILED;
    }
  }

  private static boolean isNamed(long key, long name) {
    return Pointers.equal(key + TicketKeys.NAME, name, TicketKeys.NAME_BYTES);
  }

  private static boolean encrypt(long key, long name, long iv, long cipher, long mac) {
    Pointers.copy(key + TicketKeys.NAME, name, TicketKeys.NAME_BYTES);
    long secret = key + TicketKeys.CIPHER_KEY;
    return (int) call(Functions.RAND_BYTES, iv, IV_BYTES) == 1
        && (int) call(Functions.EVP_ENCRYPT_INIT_EX, cipher, CIPHER, 0, secret, iv) == 1
        && setMacKey(key, mac);
  }

  private static boolean decrypt(long key, long iv, long cipher, long mac) {
    long secret = key + TicketKeys.CIPHER_KEY;
    return (int) call(Functions.EVP_DECRYPT_INIT_EX, cipher, CIPHER, 0, secret, iv) == 1
        && setMacKey(key, mac);
  }

  private static boolean setMacKey(long key, long mac) {
    long parameters = key + TicketKeys.PARAMETERS;
    return (int) call(Functions.EVP_MAC_CTX_SET_PARAMS, mac, parameters) == 1;
  }
}
