package dev.peregrine.server.tls.pem;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * A block of a PEM file (RFC 7468).
 *
 * @param label the declared kind, such as {@code CERTIFICATE}
 * @param bytes its content
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record PemBlock(String label, byte[] bytes) {
  private static final String BEGIN = "-----BEGIN ";
  private static final String END = "-----END ";
  private static final String DASHES = "-----";

  /**
   * Returns the blocks of a text; ignores other text between them.
   *
   * @throws IllegalArgumentException if a block isn't complete, or isn't base64
   */
  static List<PemBlock> parse(String text) {
    List<PemBlock> blocks = new ArrayList<>();
    for (int begin = text.indexOf(BEGIN); begin >= 0; ) {
      int labelEnd = text.indexOf(DASHES, begin + BEGIN.length());
      if (labelEnd < 0) {
        throw new IllegalArgumentException("a BEGIN line isn't complete");
      }
      String label = text.substring(begin + BEGIN.length(), labelEnd);
      int end = text.indexOf(END + label + DASHES, labelEnd);
      if (end < 0) {
        throw new IllegalArgumentException("the END line of " + label + " is missing");
      }
      String content = text.substring(labelEnd + DASHES.length(), end);
      if (content.contains("Proc-Type:")) {
        throw new IllegalArgumentException(
            label + " is encrypted in an outdated way; convert it by \"openssl pkcs8 -topk8\"");
      }
      blocks.add(new PemBlock(label, Base64.getMimeDecoder().decode(content)));
      begin = text.indexOf(BEGIN, end);
    }
    return blocks;
  }
}
