package dev.peregrine.parser.vector;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.CodeAttribute;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The loops over strides are compiled separately, because C2 doesn't inline methods of their
 * length.
 */
class CompiledApartTest {
  /** C2's FreqInlineSize: bytes of code of the longest method that it inlines where it is hot. */
  private static final int INLINED_MAX = 325;

  @ParameterizedTest
  @CsvSource({"FieldStrides, scan", "FieldStrides, scanExactly", "Utf8Strides, unfinished"})
  void isTooLongToBeInlined(String type, String loop) throws IOException {
    assertThat(codeLength(type, loop)).isGreaterThan(INLINED_MAX);
  }

  private static int codeLength(String type, String method) throws IOException {
    try (InputStream in = FieldStrides.class.getResourceAsStream(type + ".class")) {
      ClassModel strides = ClassFile.of().parse(Objects.requireNonNull(in).readAllBytes());
      MethodModel found =
          strides.methods().stream()
              .filter(candidate -> candidate.methodName().equalsString(method))
              .findAny()
              .orElseThrow();
      return ((CodeAttribute) found.code().orElseThrow()).codeLength();
    }
  }
}
