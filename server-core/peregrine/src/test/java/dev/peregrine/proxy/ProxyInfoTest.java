package dev.peregrine.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ProxyInfoTest {
  private static final int TLS_VERSION = 0x21;
  private static final int TLS_COMMON_NAME = 0x22;
  private static final int TLS_CIPHER = 0x23;

  private static byte[] value(int type, byte[] content) {
    ByteArrayOutputStream value = new ByteArrayOutputStream();
    value.write(type);
    value.write(content.length >> Byte.SIZE);
    value.write(content.length);
    value.writeBytes(content);
    return value.toByteArray();
  }

  /** Returns the facts of a proxy that reports the same text for everything. */
  private static ProxyInfo reporting(String text) {
    byte[] content = text.getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream tls = new ByteArrayOutputStream();
    tls.writeBytes(new byte[] {1, 0, 0, 0, 0});
    tls.writeBytes(value(TLS_VERSION, content));
    tls.writeBytes(value(TLS_COMMON_NAME, content));
    tls.writeBytes(value(TLS_CIPHER, content));
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(value(ProxyInfo.AUTHORITY, content));
    all.writeBytes(value(ProxyInfo.APPLICATION_PROTOCOL, content));
    all.writeBytes(value(ProxyInfo.NETWORK_NAMESPACE, content));
    all.writeBytes(value(ProxyInfo.TLS, tls.toByteArray()));
    return new ProxyInfo(false, all.toByteArray());
  }

  @Test
  void returnsTexts() {
    ProxyInfo info = reporting("some.example");

    assertThat(info.authority()).isEqualTo("some.example");
    assertThat(info.applicationProtocol()).isEqualTo("some.example");
    assertThat(info.networkNamespace()).isEqualTo("some.example");
    assertThat(info.tlsVersion()).isEqualTo("some.example");
    assertThat(info.clientCommonName()).isEqualTo("some.example");
    assertThat(info.cipherSuite()).isEqualTo("some.example");
  }

  /** A client chooses the host name, so a log or a field that contains it would be its. */
  @ParameterizedTest
  @ValueSource(strings = {"a\r\nadmin: true", "\n", "a\r", "\0", "\t", "\u007f"})
  void leavesOutTextsWithControlCharacters(String text) {
    ProxyInfo info = reporting(text);

    assertThat(info.authority()).isNull();
    assertThat(info.applicationProtocol()).isNull();
    assertThat(info.tlsVersion()).isNull();
    assertThat(info.clientCommonName()).isNull();
    assertThat(info.cipherSuite()).isNull();
    assertThat(info.isTls()).isTrue();
    assertThat(info.value(ProxyInfo.AUTHORITY)).isEqualTo(text.getBytes(StandardCharsets.UTF_8));
  }
}
