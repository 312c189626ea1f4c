package dev.peregrine.parser.websocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Heads of the server's frames, byte for byte. */
class FrameEncoderTest {
  private static final int AT = 3;
  private static final byte UNTOUCHED = 0x55;

  @ParameterizedTest
  @CsvSource({
    "0x81, 0, 8100",
    "0x82, 1, 8201",
    "0x8A, 125, 8a7d",
    "0x02, 126, 027e007e",
    "0xC1, 127, c17e007f",
    "0x80, 255, 807e00ff",
    "0x80, 256, 807e0100",
    "0x81, 32768, 817e8000",
    "0x81, 65535, 817effff",
    "0x81, 65536, 817f0000000000010000",
    "0x00, 4294967296, 007f0000000100000000",
    "0xF2, 9223372036854775807, f27f7fffffffffffffff"
  })
  void writesTheShortestFormOfTheLength(String firstByte, long payloadLength, String expected) {
    int first = Integer.decode(firstByte);
    int bytes = FrameEncoder.headBytes(payloadLength);
    assertThat(bytes).isEqualTo(expected.length() / 2).isLessThanOrEqualTo(10);
    byte[] array = filled(AT + bytes + 2);
    FrameEncoder.head(array, AT, first, payloadLength);
    assertThat(HexFormat.of().formatHex(array)).isEqualTo("555555" + expected + "5555");
  }

  @ParameterizedTest
  @CsvSource({"125", "126", "65535", "65536"})
  void writesNothingIfTheHeadDoesNotFit(long payloadLength) {
    byte[] array = filled(AT + FrameEncoder.headBytes(payloadLength) - 1);
    assertThatThrownBy(() -> FrameEncoder.head(array, AT, 0x81, payloadLength))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(array).containsOnly(UNTOUCHED);
  }

  @Test
  void putsHeadAndPayloadIntoOneArray() {
    ByteBuffer payload = ByteBuffer.wrap(new byte[] {9, 1, 2, 3, 9}, 1, 3);
    int first = FrameEncoder.FINAL | FrameEncoder.COMPRESSED | Opcode.BINARY;

    assertThat(FrameEncoder.frame(first, payload)).containsExactly(0xC2, 3, 1, 2, 3);
    assertThat(payload.remaining()).isEqualTo(3);
    assertThat(FrameEncoder.frame(first, ByteBuffer.allocate(126)))
        .startsWith(0xC2, 126, 0, 126)
        .hasSize(130);
  }

  @Test
  void knowsTheControlOpcodes() {
    for (int opcode = 0; opcode < 16; opcode++) {
      assertThat(Opcode.isControl(opcode)).isEqualTo(opcode >= 8);
    }
  }

  private static byte[] filled(int length) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, UNTOUCHED);
    return bytes;
  }
}
