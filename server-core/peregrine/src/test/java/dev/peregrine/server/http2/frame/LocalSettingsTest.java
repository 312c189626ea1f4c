package dev.peregrine.server.http2.frame;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.parser.ParserLimits;
import dev.peregrine.parser.hpack.DecodedFields;
import dev.peregrine.server.config.ServerLimits;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LocalSettingsTest {
  private static final int LINE_BYTES = 8192;

  /** 32 bytes for each of the default number of fields, and for pseudo-header fields. */
  private static final int FIELDS_BYTES = 32 * (ParserLimits.DEFAULT.fieldsMax() + 5);

  @ParameterizedTest
  @ValueSource(
      ints = {0, 32_768, DecodedFields.BYTES_MAX - LINE_BYTES, DecodedFields.BYTES_MAX, 1 << 28})
  void announcesTheLimitsOfHeadsUpToWhatADecodedSectionCanHold(int headerBytesMax) {
    ParserLimits parser =
        ParserLimits.DEFAULT.toBuilder()
            .requestLineBytesMax(LINE_BYTES)
            .headerBytesMax(headerBytesMax)
            .build();
    LocalSettings settings = LocalSettings.of(ServerLimits.builder().parser(parser).build());
    assertThat(settings.headerBytesMax())
        .isEqualTo(Math.min(LINE_BYTES + headerBytesMax + FIELDS_BYTES, DecodedFields.BYTES_MAX));
    assertThat(settings.blockBytesMax()).isGreaterThan(settings.headerBytesMax());
    assertThat(new DecodedFields(settings.headerBytesMax(), 1).count()).isZero();
  }
}
