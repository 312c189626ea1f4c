package dev.peregrine.parser.field;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.protocol.KnownHeader;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RequestNamesTest {
  @ParameterizedTest
  @EnumSource
  void recognisesTheHeadersOfRequestsOnly(KnownHeader header) {
    int id = find(header.fieldName().toLowerCase(Locale.ROOT));

    assertThat(RequestNames.header(id)).isEqualTo(header.isRecognisedInRequests() ? header : null);
  }

  @ParameterizedTest
  @CsvSource({
    ":authority, " + RequestNames.AUTHORITY,
    ":method, " + RequestNames.METHOD,
    ":scheme, " + RequestNames.SCHEME,
    ":path, " + RequestNames.PATH,
    ":protocol, " + RequestNames.PROTOCOL
  })
  void recognisesPseudoHeaderFields(String name, int id) {
    assertThat(find(name)).isEqualTo(id);
  }

  @ParameterizedTest
  @ValueSource(strings = {":", ":status", ":paths", ":pat", ":host", "::path", ":method-", ":x"})
  void givesEveryOtherNameWithAColonOneId(String name) {
    assertThat(find(name)).isEqualTo(RequestNames.OTHER_PSEUDO);
  }

  @Test
  void knowsNoEmptyName() {
    assertThat(find("")).isEqualTo(RequestNames.UNKNOWN);
  }

  @ParameterizedTest
  @ValueSource(strings = {"path", "method", "authority", "hos", "hosts", "x"})
  void knowsNoOtherName(String name) {
    assertThat(find(name)).isEqualTo(RequestNames.UNKNOWN);
  }

  private static int find(String name) {
    byte[] bytes = (name + "        ").getBytes(StandardCharsets.US_ASCII);
    return RequestNames.find(MemorySegment.ofArray(bytes), 0, name.length());
  }
}
