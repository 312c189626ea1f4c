package dev.peregrine.server.websocket.deflate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class DeflateOfferTest {
  private static final DeflateOptions SPARING = new DeflateOptions(false, false, 12, 11);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          permessage-deflate | permessage-deflate
          permessage-deflate; client_max_window_bits | permessage-deflate
          permessage-deflate; client_max_window_bits=9 | permessage-deflate
          permessage-deflate; server_no_context_takeover | permessage-deflate; server_no_context_takeover
          permessage-deflate; client_no_context_takeover | permessage-deflate; client_no_context_takeover
          permessage-deflate; server_max_window_bits=15 | permessage-deflate; server_max_window_bits=15
          permessage-deflate; server_max_window_bits=8 | permessage-deflate; server_max_window_bits=8
          permessage-deflate; server_max_window_bits="10" | permessage-deflate; server_max_window_bits=10
          permessage-deflate; server_max_window_bits="1\\0" | permessage-deflate; server_max_window_bits=10
          permessage-deflate ;\tserver_max_window_bits = 10 | permessage-deflate; server_max_window_bits=10
          """)
  void agreesToOffers(String offer, String answer) {
    assertThat(answer(DeflateOptions.DEFAULT, offer)).isEqualTo(answer);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          permessage-deflate | permessage-deflate; server_no_context_takeover; client_no_context_takeover; server_max_window_bits=12
          permessage-deflate; client_max_window_bits; server_max_window_bits=14 | permessage-deflate; server_no_context_takeover; client_no_context_takeover; server_max_window_bits=12; client_max_window_bits=11
          permessage-deflate; client_max_window_bits=10; server_max_window_bits=9 | permessage-deflate; server_no_context_takeover; client_no_context_takeover; server_max_window_bits=9; client_max_window_bits=10
          """)
  void narrowsOffersByTheOptions(String offer, String answer) {
    assertThat(answer(SPARING, offer)).isEqualTo(answer);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "permessage-deflate; server_max_window_bits",
        "permessage-deflate; server_max_window_bits=7",
        "permessage-deflate; server_max_window_bits=16",
        "permessage-deflate; server_max_window_bits=08",
        "permessage-deflate; server_max_window_bits=+9",
        "permessage-deflate; server_max_window_bits=9; server_max_window_bits=9",
        "permessage-deflate; client_max_window_bits=7",
        "permessage-deflate; client_max_window_bits=16",
        "permessage-deflate; client_max_window_bits=99999999999999999999",
        "permessage-deflate; client_max_window_bits; client_max_window_bits=9",
        "permessage-deflate; server_no_context_takeover=1",
        "permessage-deflate; client_no_context_takeover=true",
        "permessage-deflate; server_no_context_takeover; server_no_context_takeover",
        "permessage-deflate; unknown",
        "permessage-deflate; Server_No_Context_Takeover",
        "Permessage-Deflate",
        "x-webkit-deflate-frame",
        "permessage-bzip2; level=9",
        "",
        ", ,"
      })
  void declinesOffers(String offer) {
    assertThat(DeflateOffer.parse(List.of(offer)).isMalformed()).isFalse();
    assertThat(DeflateOffer.parse(List.of(offer)).choose(DeflateOptions.DEFAULT)).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "permessage-deflate;",
        "permessage-deflate;;client_max_window_bits",
        "; client_max_window_bits",
        "permessage deflate",
        "permessage-deflate; client_max_window_bits=",
        "permessage-deflate; =9",
        "permessage-deflate; client_max_window_bits=\"\"",
        "permessage-deflate; client_max_window_bits=\"9",
        "permessage-deflate; client_max_window_bits=\"9\\",
        "permessage-deflate; client_max_window_bits=\"9\"9",
        "permessage-deflate; client_max_window_bits=\"9 \"",
        "permessage-deflate; client_max_window_bits=9=9",
        "permessage-deflate; a=\"x,y\"",
        "permessage-deflate, other; a b",
        "other/extension"
      })
  void reportsMalformedFields(String field) {
    assertThat(DeflateOffer.parse(List.of(field)).isMalformed()).isTrue();
    assertThat(DeflateOffer.parse(List.of("permessage-deflate", field)).isMalformed()).isTrue();
  }

  @Test
  void choosesTheFirstOfferThatItNeedNotDecline() {
    String declined = "permessage-deflate; server_max_window_bits=99";

    assertThat(
            answer(DeflateOptions.DEFAULT, "other; a=\"b\", " + declined + ", permessage-deflate"))
        .isEqualTo("permessage-deflate");
    assertThat(
            answer(
                DeflateOptions.DEFAULT,
                declined,
                ",,permessage-deflate; server_max_window_bits=9 , permessage-deflate"))
        .isEqualTo("permessage-deflate; server_max_window_bits=9");
  }

  @Test
  void choosesNothingWithoutOffers() {
    assertThat(DeflateOffer.parse(List.of()).choose(DeflateOptions.DEFAULT)).isNull();
  }

  @Test
  void answersEveryParameterThatIsKept() {
    DeflateParameters parameters = new DeflateParameters(false, false, 15, 15, false);

    assertThat(parameters).hasToString("permessage-deflate");
    assertThat(parameters.keeping(true, true)).isEqualTo(parameters);
    assertThat(parameters.keeping(false, true))
        .hasToString("permessage-deflate; server_no_context_takeover");
    assertThat(parameters.keeping(true, false))
        .hasToString("permessage-deflate; client_no_context_takeover");
  }

  @Test
  void rejectsOptionsOutOfRange() {
    assertThatThrownBy(() -> new DeflateOptions(true, true, 7, 15))
        .hasMessage("serverWindowBits is 7, but must be 8 to 15");
    assertThatThrownBy(() -> new DeflateOptions(true, true, 15, 16))
        .hasMessage("clientWindowBits is 16, but must be 8 to 15");
  }

  private static String answer(DeflateOptions options, String... fields) {
    return String.valueOf(DeflateOffer.parse(List.of(fields)).choose(options));
  }
}
