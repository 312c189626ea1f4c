package dev.peregrine.proxy;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The facts that a proxy has reported about a connection by the PROXY protocol, beside the
 * addresses. Immutable; each call of a method that returns a String or an array creates it.
 *
 * <p>The facts of version 2 are a list of types and values. A proxy that reports none, and one that
 * uses version 1, leaves all of them absent. So does a text with a control character, which clients
 * of some proxies can choose: {@link #value} returns its bytes.
 */
public final class ProxyInfo {
  /** The type of the application protocol (ALPN). */
  public static final int APPLICATION_PROTOCOL = 0x01;

  /** The type of the host name that the client asked for. */
  public static final int AUTHORITY = 0x02;

  /** The type of the connection's identifier. */
  public static final int UNIQUE_ID = 0x05;

  /** The type of the facts about TLS, which has values of further types in it. */
  public static final int TLS = 0x20;

  /** The type of the proxy's network namespace. */
  public static final int NETWORK_NAMESPACE = 0x30;

  private static final int TLS_VERSION = 0x21;
  private static final int TLS_COMMON_NAME = 0x22;
  private static final int TLS_CIPHER = 0x23;

  private static final int HEAD_BYTES = 3; // type and length
  private static final int TLS_HEAD_BYTES = 5; // flags, and the result of the verification
  private static final int TLS_USED = 0x01;
  private static final int CERTIFICATE_SENT = 0x02 | 0x04; // on this connection, or earlier

  private final boolean local;
  private final byte[] values;

  /**
   * Creates the facts.
   *
   * @param local whether the proxy has opened the connection for itself
   * @param values the types, lengths and values of version 2, which is not copied; empty for none
   * @throws IllegalArgumentException if a length is wrong
   */
  public ProxyInfo(boolean local, byte[] values) {
    this.local = local;
    this.values = values;
    if (!isList(values, 0)) {
      throw new IllegalArgumentException("a length is wrong");
    }
    byte[] tls = value(TLS);
    if (tls != null && (tls.length < TLS_HEAD_BYTES || !isList(tls, TLS_HEAD_BYTES))) {
      throw new IllegalArgumentException("a length of the facts about TLS is wrong");
    }
  }

  private static boolean isList(byte[] list, int from) {
    int at = from;
    while (at + HEAD_BYTES <= list.length) {
      at = next(list, at);
    }
    return at == list.length;
  }

  private static int next(byte[] list, int at) {
    return at + HEAD_BYTES + (((list[at + 1] & 0xFF) << Byte.SIZE) | (list[at + 2] & 0xFF));
  }

  /**
   * Returns true if the proxy has opened the connection for itself, as for its health checks. The
   * addresses are those of the connection then.
   */
  public boolean isLocal() {
    return local;
  }

  /**
   * Returns the first value of a type; null if there is none.
   *
   * @param type 0 to 255, such as 0xE0 to 0xEF for types of the application
   */
  public byte @Nullable [] value(int type) {
    return value(values, 0, type);
  }

  private static byte @Nullable [] value(byte[] list, int from, int type) {
    for (int at = from; at < list.length; at = next(list, at)) {
      if ((list[at] & 0xFF) == type) {
        return Arrays.copyOfRange(list, at + HEAD_BYTES, next(list, at));
      }
    }
    return null;
  }

  /** Returns the host name that the client asked for (SNI), as the proxy reports it; or null. */
  public @Nullable String authority() {
    return text(value(AUTHORITY), StandardCharsets.UTF_8);
  }

  /** Returns the application protocol of the client's connection (ALPN); or null. */
  public @Nullable String applicationProtocol() {
    return text(value(APPLICATION_PROTOCOL), StandardCharsets.ISO_8859_1);
  }

  /** Returns the proxy's identifier of the connection, at most 128 bytes; or null. */
  public byte @Nullable [] uniqueId() {
    return value(UNIQUE_ID);
  }

  /** Returns the name of the network namespace; or null. */
  public @Nullable String networkNamespace() {
    return text(value(NETWORK_NAMESPACE), StandardCharsets.US_ASCII);
  }

  /** Returns true if the client has connected to the proxy by TLS. */
  public boolean isTls() {
    byte[] tls = value(TLS);
    return tls != null && (tls[0] & TLS_USED) != 0;
  }

  /** Returns the version of TLS between client and proxy, such as {@code TLSv1.3}; or null. */
  public @Nullable String tlsVersion() {
    return tlsText(TLS_VERSION, StandardCharsets.US_ASCII);
  }

  /** Returns the cipher suite between client and proxy; or null. */
  public @Nullable String cipherSuite() {
    return tlsText(TLS_CIPHER, StandardCharsets.US_ASCII);
  }

  /** Returns true if the client sent a certificate to the proxy, which has verified it. */
  public boolean isClientVerified() {
    byte[] tls = value(TLS);
    return tls != null
        && (tls[0] & CERTIFICATE_SENT) != 0
        && (tls[1] | tls[2] | tls[3] | tls[4]) == 0;
  }

  /**
   * Returns the common name of the client's certificate; or null. It proves nothing unless {@link
   * #isClientVerified}.
   */
  public @Nullable String clientCommonName() {
    return tlsText(TLS_COMMON_NAME, StandardCharsets.UTF_8);
  }

  private @Nullable String tlsText(int type, Charset charset) {
    byte[] tls = value(TLS);
    return tls == null ? null : text(value(tls, TLS_HEAD_BYTES, type), charset);
  }

  private static @Nullable String text(byte @Nullable [] bytes, Charset charset) {
    if (bytes == null) {
      return null;
    }
    String text = new String(bytes, charset);
    for (int i = 0; i < text.length(); i++) {
      if (Character.isISOControl(text.charAt(i))) {
        return null; // a client may choose it, and it could end a line of a log or of a field
      }
    }
    return text;
  }
}
