package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.CodeAttribute;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Methods that are compiled separately, because C2 doesn't inline any of their length. */
final class CompiledApartTest {
  /** C2's FreqInlineSize: bytes of code of the longest method that it inlines where it is hot. */
  private static final int INLINED_MAX = 325;

  @ParameterizedTest
  @CsvSource({
    "http1/Http1, onInput",
    "http2/StreamOpener, open",
    "http2/head/HeadEncoder, head",
    "memory/OutboundQueue, writeTo"
  })
  void isTooLongToBeInlined(String type, String method) throws IOException {
    try (InputStream in = HttpServer.class.getResourceAsStream(type + ".class")) {
      MethodModel found =
          ClassFile.of().parse(Objects.requireNonNull(in).readAllBytes()).methods().stream()
              .filter(candidate -> candidate.methodName().equalsString(method))
              .findAny()
              .orElseThrow();
      int codeLength = ((CodeAttribute) found.code().orElseThrow()).codeLength();
      assertThat(codeLength).isGreaterThan(INLINED_MAX);
    }
  }
}
