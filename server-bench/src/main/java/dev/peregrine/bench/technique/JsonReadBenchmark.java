package dev.peregrine.bench.technique;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.async.ByteArrayFeeder;
import io.avaje.json.JsonReader;
import io.avaje.jsonb.Jsonb;
import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * Takes one field out of 1.5 KB of JSON that arrives in pieces: the whole document is read, or the
 * reader stops at the field; all pieces are awaited, or each one is read when it arrives. Two
 * libraries, because one of them can't read pieces: each is compared with itself only.
 */
public class JsonReadBenchmark extends Technique {
  private static final int PIECE_BYTES = 512;

  /** The field that is wanted: the second one, the last one, or one that isn't there. */
  @Param({"customer", "remark", "absent"})
  String wanted;

  private final JsonFactory jackson = new JsonFactory();
  private byte[] json;
  private byte[][] pieces;

  /** Checks that all forms find the same. */
  @Setup
  public void setUp() throws IOException {
    Order order = Order.typical();
    json = Order.TYPE.toJsonBytes(order);
    pieces = new byte[(json.length + PIECE_BYTES - 1) / PIECE_BYTES][];
    for (int i = 0; i < pieces.length; i++) {
      int from = i * PIECE_BYTES;
      pieces[i] = Arrays.copyOfRange(json, from, Math.min(json.length, from + PIECE_BYTES));
    }
    String expected =
        switch (wanted) {
          case "customer" -> order.customer();
          case "remark" -> order.remark();
          default -> "";
        };
    check(readObject().equals(expected), "object");
    check(readUntilFound().equals(expected), "found");
    check(jacksonGathered().equals(expected), "gathered");
    check(jacksonAllPieces().equals(expected), "all pieces");
    check(jacksonPieces().equals(expected), "pieces");
  }

  /** All pieces are gathered; then the library makes a record, of which one component is used. */
  @Benchmark
  public String readObject() {
    Order order = Order.TYPE.fromJson(gathered());
    return switch (wanted) {
      case "customer" -> order.customer();
      case "remark" -> order.remark();
      default -> "";
    };
  }

  /** All pieces are gathered; then the same library reads field by field, up to the wanted one. */
  @Benchmark
  public String readUntilFound() {
    try (JsonReader reader = Jsonb.instance().reader(gathered())) {
      reader.beginObject();
      while (reader.hasNextField()) {
        if (reader.nextField().equals(wanted)) {
          return reader.readString();
        }
        reader.skipValue();
      }
      return "";
    }
  }

  /** All pieces are gathered; then Jackson's reader of arrays stops at the wanted field. */
  @Benchmark
  public String jacksonGathered() throws IOException {
    try (JsonParser parser = jackson.createParser(gathered())) {
      while (parser.nextToken() != null) {
        if (isWanted(parser)) {
          parser.nextToken();
          return parser.getText();
        }
      }
      return "";
    }
  }

  /** Jackson's re-entrant reader reads each piece, to the end. */
  @Benchmark
  public String jacksonAllPieces() throws IOException {
    return readPieces(false);
  }

  /** Jackson's re-entrant reader reads each piece, and stops at the wanted field. */
  @Benchmark
  public String jacksonPieces() throws IOException {
    return readPieces(true);
  }

  private String readPieces(boolean stops) throws IOException {
    String value = "";
    try (JsonParser parser = jackson.createNonBlockingByteArrayParser()) {
      ByteArrayFeeder feeder = (ByteArrayFeeder) parser.getNonBlockingInputFeeder();
      boolean isFound = false;
      for (byte[] piece : pieces) {
        feeder.feedInput(piece, 0, piece.length);
        for (JsonToken token = parser.nextToken();
            token != JsonToken.NOT_AVAILABLE && token != null;
            token = parser.nextToken()) {
          if (isFound) {
            value = parser.getText();
            if (stops) {
              return value;
            }
          }
          isFound = isWanted(parser);
        }
      }
    }
    return value;
  }

  /** Returns true if the current token is the name of the wanted field. */
  private boolean isWanted(JsonParser parser) throws IOException {
    return parser.currentToken() == JsonToken.FIELD_NAME
        && parser.getParsingContext().getParent().inRoot()
        && Objects.equals(parser.currentName(), wanted);
  }

  /** Copies the pieces into one array, as {@code RequestBody.readAll} does. */
  private byte[] gathered() {
    byte[] all = new byte[json.length];
    int at = 0;
    for (byte[] piece : pieces) {
      System.arraycopy(piece, 0, all, at, piece.length);
      at += piece.length;
    }
    return all;
  }
}
