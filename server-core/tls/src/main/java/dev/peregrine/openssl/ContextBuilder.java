package dev.peregrine.openssl;

import static dev.peregrine.openssl.Downcall.call;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A builder of a strict {@code SSL_CTX} for a server: TLS 1.2 and 1.3, no renegotiation, no
 * compression, no early data, the server's order of suites, and tickets instead of a cache of
 * sessions. A failure frees everything by {@link #close}, so it is used in a try-with-resources
 * statement.
 */
public final class ContextBuilder implements AutoCloseable {
  public static final int TLS_1_2 = 0x303;
  public static final int TLS_1_3 = 0x304;

  /** The largest number of bytes of {@link #sessionScope}. */
  public static final int SCOPE_BYTES_MAX = 32;

  private static final long OPTIONS =
      1L << 17 // SSL_OP_NO_COMPRESSION
          | 1L << 21 // SSL_OP_PRIORITIZE_CHACHA, for clients without AES instructions
          | 1L << 22 // SSL_OP_CIPHER_SERVER_PREFERENCE
          | 1L << 30; // SSL_OP_NO_RENEGOTIATION

  private static final String POST_QUANTUM_GROUP = "X25519MLKEM768";
  private static final int SECURITY_LEVEL = 2; // no keys below 112 bits of security
  private static final int VERIFY_DEPTH_MAX = 10;
  private static final int VERIFY_PEER = 1;
  private static final int VERIFY_FAIL_WITHOUT_CERTIFICATE = 2;
  private static final int STORE_PARTIAL_CHAIN = 0x80000; // any trusted certificate ends a chain

  // SSL_CTX_ctrl
  private static final int CTRL_MODE = 33;
  private static final int CTRL_SESSION_CACHE_MODE = 44;
  private static final int CTRL_STATUS_CALLBACK = 63;
  private static final int CTRL_STATUS_ARGUMENT = 64;
  private static final int CTRL_CLEAR_MODE = 78;
  private static final int CTRL_CHAIN_CERTIFICATE = 89;
  private static final int CTRL_GROUPS = 92;
  private static final int CTRL_MIN_VERSION = 123;
  private static final int CTRL_MAX_VERSION = 124;

  // Otherwise one call would read records until it finds content, in any number.
  private static final int MODE_AUTO_RETRY = 0x4;
  private static final int MODES = 0x8 | 0x10; // NO_AUTO_CHAIN, RELEASE_BUFFERS

  private final List<MemorySegment> kept = new ArrayList<>();
  private long context;

  /**
   * Creates a context without a certificate.
   *
   * @throws UnsupportedOperationException if OpenSSL can't be used
   */
  public ContextBuilder() throws OpenSslException {
    OpenSsl.require();
    ErrorQueue.clear();
    context = call(Functions.SSL_CTX_NEW, call(Functions.TLS_SERVER_METHOD));
    if (context == 0) {
      throw ErrorQueue.failure("OpenSSL can't create a context");
    }
    OpenSslContext.count(1);
    call(Functions.SSL_CTX_SET_SECURITY_LEVEL, context, SECURITY_LEVEL);
    call(Functions.SSL_CTX_SET_OPTIONS, context, OPTIONS);
    control(CTRL_MODE, MODES, 0);
    control(CTRL_CLEAR_MODE, MODE_AUTO_RETRY, 0);
    control(CTRL_SESSION_CACHE_MODE, 0, 0);
    call(Functions.SSL_CTX_SET_NUM_TICKETS, context, 1);
  }

  /** Sets the oldest and the newest version. */
  public ContextBuilder versions(int oldest, int newest) throws OpenSslException {
    check(control(CTRL_MIN_VERSION, oldest, 0), "these versions of TLS can't be used");
    check(control(CTRL_MAX_VERSION, newest, 0), "these versions of TLS can't be used");
    return this;
  }

  /**
   * Sets the cipher suites.
   *
   * @param suites standard names, in the server's order
   */
  public ContextBuilder suites(List<String> suites) throws OpenSslException {
    List<String> before = new ArrayList<>(); // TLS 1.2, by names of OpenSSL's
    List<String> since = new ArrayList<>();
    for (String suite : suites) {
      if (suite.contains("_WITH_")) {
        before.add(nameOf(suite));
      } else {
        since.add(suite);
      }
    }
    setText(Functions.SSL_CTX_SET_CIPHERSUITES, String.join(":", since), "suites");
    if (!before.isEmpty()) {
      setText(Functions.SSL_CTX_SET_CIPHER_LIST, String.join(":", before), "suites");
    }
    return this;
  }

  private static String nameOf(String suite) throws OpenSslException {
    try (Arena arena = Arena.ofConfined()) {
      long name = call(Functions.OPENSSL_CIPHER_NAME, arena.allocateFrom(suite).address());
      String text = Objects.requireNonNullElse(Pointers.text(name), "(NONE)");
      if (text.equals("(NONE)")) {
        throw new OpenSslException("OpenSSL doesn't know the cipher suite " + suite);
      }
      return text;
    }
  }

  /**
   * Sets the groups for the exchange of keys, in the server's order.
   *
   * @param prefersPostQuantum adds a hybrid with a post-quantum algorithm as the first one where
   *     the library knows it, which is since version 3.5
   */
  public ContextBuilder groups(List<String> groups, boolean prefersPostQuantum)
      throws OpenSslException {
    String list = String.join(":", groups);
    if (!prefersPostQuantum || setGroups(POST_QUANTUM_GROUP + ":" + list) != 1) {
      ErrorQueue.clear();
      check(setGroups(list), "OpenSSL doesn't know all of the groups " + list);
    }
    return this;
  }

  private long setGroups(String list) {
    try (Arena arena = Arena.ofConfined()) {
      return (int) control(CTRL_GROUPS, 0, arena.allocateFrom(list).address());
    }
  }

  private void setText(MethodHandle function, String text, String what) throws OpenSslException {
    try (Arena arena = Arena.ofConfined()) {
      long result = call(function, context, arena.allocateFrom(text).address());
      check(result, "OpenSSL can't use the " + what + " " + text);
    }
  }

  /**
   * Sets the certificate and its key; one of each kind of key may be set.
   *
   * @param chain the certificate, followed by its issuers, in DER
   * @param key in PKCS #8
   */
  public ContextBuilder credential(List<byte[]> chain, byte[] key) throws OpenSslException {
    try (X509 own = X509.parse(chain.getFirst())) {
      long result = call(Functions.SSL_CTX_USE_CERTIFICATE, context, own.address());
      check(result, "OpenSSL rejects the certificate");
    }
    for (byte[] issuer : chain.subList(1, chain.size())) {
      try (X509 certificate = X509.parse(issuer)) {
        // 1: it takes a reference
        long result = control(CTRL_CHAIN_CERTIFICATE, 1, certificate.address());
        check(result, "OpenSSL rejects a certificate of the chain");
      }
    }
    long parsed = parseKey(key);
    try {
      String problem = "the key doesn't fit the certificate";
      check(call(Functions.SSL_CTX_USE_PRIVATE_KEY, context, parsed), problem);
      check(call(Functions.SSL_CTX_CHECK_PRIVATE_KEY, context), problem);
    } finally {
      call(Functions.EVP_PKEY_FREE, parsed);
    }
    return this;
  }

  private static long parseKey(byte[] key) throws OpenSslException {
    ErrorQueue.clear();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment copy = arena.allocateFrom(ValueLayout.JAVA_BYTE, key);
      MemorySegment pointer = arena.allocateFrom(ValueLayout.JAVA_LONG, copy.address());
      long parsed = call(Functions.D2I_AUTO_PRIVATE_KEY, 0, pointer.address(), key.length);
      copy.fill((byte) 0);
      if (parsed == 0) {
        throw ErrorQueue.failure("OpenSSL can't read the key");
      }
      return parsed;
    }
  }

  /**
   * Requests certificates from clients.
   *
   * @param required false accepts clients without one
   * @param trusted the certificates that end a chain, in DER
   */
  public ContextBuilder clientCertificates(boolean required, List<byte[]> trusted)
      throws OpenSslException {
    long store = call(Functions.SSL_CTX_GET_CERT_STORE, context);
    for (byte[] one : trusted) {
      try (X509 certificate = X509.parse(one)) {
        long address = certificate.address();
        check(
            call(Functions.X509_STORE_ADD_CERT, store, address), "a certificate can't be trusted");
        check(call(Functions.SSL_CTX_ADD_CLIENT_CA, context, address), "it can't be announced");
      }
    }
    call(Functions.X509_STORE_SET_FLAGS, store, STORE_PARTIAL_CHAIN);
    int mode = VERIFY_PEER | (required ? VERIFY_FAIL_WITHOUT_CERTIFICATE : 0);
    call(Functions.SSL_CTX_SET_VERIFY, context, mode, 0);
    call(Functions.SSL_CTX_SET_VERIFY_DEPTH, context, VERIFY_DEPTH_MAX);
    return this;
  }

  /**
   * Sets the protocols for ALPN, in the server's order. A client that offers only others is
   * rejected; one that offers none is not.
   */
  public ContextBuilder applicationProtocols(List<String> protocols) {
    List<byte[]> names =
        protocols.stream().map(name -> name.getBytes(StandardCharsets.ISO_8859_1)).toList();
    int bytes = names.stream().mapToInt(name -> 1 + name.length).sum();
    MemorySegment list = counted(bytes);
    long at = Long.BYTES;
    for (byte[] name : names) {
      list.set(ValueLayout.JAVA_BYTE, at++, (byte) name.length);
      MemorySegment.copy(name, 0, list, ValueLayout.JAVA_BYTE, at, name.length);
      at += name.length;
    }
    long callback = Callbacks.SELECT_PROTOCOL;
    call(Functions.SSL_CTX_SET_ALPN_SELECT_CB, context, callback, list.address());
    return this;
  }

  /**
   * Sets the OCSP response for clients that request it, in DER.
   *
   * @param untilSeconds the time since 1970 from which on it isn't sent any more
   */
  public ContextBuilder staple(byte[] response, long untilSeconds) {
    MemorySegment copy = counted(Long.BYTES + response.length);
    copy.set(ValueLayout.JAVA_LONG, Long.BYTES, untilSeconds);
    MemorySegment.copy(response, 0, copy, ValueLayout.JAVA_BYTE, 2 * Long.BYTES, response.length);
    call(Functions.SSL_CTX_CALLBACK_CTRL, context, CTRL_STATUS_CALLBACK, Callbacks.STAPLE);
    control(CTRL_STATUS_ARGUMENT, 0, copy.address());
    return this;
  }

  /** Returns memory that lives as long as the context: a size, followed by as many bytes. */
  private MemorySegment counted(int bytes) {
    MemorySegment memory = Arena.ofAuto().allocate(Long.BYTES + bytes, Long.BYTES);
    memory.set(ValueLayout.JAVA_LONG, 0, bytes);
    kept.add(memory);
    return memory;
  }

  /**
   * Sets the scope of sessions: a ticket of another scope is not resumed, so the authentication of
   * a client for one context isn't valid for another.
   *
   * @param scope at most {@link #SCOPE_BYTES_MAX} bytes
   */
  public ContextBuilder sessionScope(byte[] scope) throws OpenSslException {
    try (Arena arena = Arena.ofConfined()) {
      long copy = arena.allocateFrom(ValueLayout.JAVA_BYTE, scope).address();
      long result = call(Functions.SSL_CTX_SET_SESSION_ID_CONTEXT, context, copy, scope.length);
      check(result, "the scope of sessions is too long");
    }
    return this;
  }

  /** Returns the context; the builder can't be used afterwards. */
  public OpenSslContext build(TicketKeys tickets) throws OpenSslException {
    long index = Callbacks.KEYS_INDEX;
    long keys = tickets.address();
    check(call(Functions.SSL_CTX_SET_EX_DATA, context, index, keys), "no memory");
    long callback = Callbacks.TICKET;
    long result = call(Functions.SSL_CTX_SET_TLSEXT_TICKET_KEY_EVP_CB, context, callback);
    check(result, "tickets can't be used");
    ErrorQueue.clear();
    OpenSslContext built = new OpenSslContext(context, tickets, kept);
    context = 0;
    return built;
  }

  @Override
  public void close() {
    if (context != 0) {
      OpenSslContext.free(context);
      context = 0;
    }
  }

  private long control(int command, long number, long pointer) {
    return call(Functions.SSL_CTX_CTRL, context, command, number, pointer);
  }

  private static void check(long result, String message) throws OpenSslException {
    if ((int) result != 1) {
      throw ErrorQueue.failure(message);
    }
    ErrorQueue.clear(); // a call may succeed and yet leave errors, and the next one needs none
  }
}
