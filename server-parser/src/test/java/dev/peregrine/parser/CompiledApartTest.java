package dev.peregrine.parser;

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

/** Methods that are compiled separately, because a compiler doesn't inline any of their length. */
class CompiledApartTest {
  /** C2's FreqInlineSize: bytes of code of the longest method that it inlines where it is hot. */
  private static final int INLINED_BY_C2_MAX = 325;

  /** C1's C1MaxInlineSize. */
  private static final int INLINED_BY_C1_MAX = 35;

  @ParameterizedTest
  @CsvSource({
    "vector/FieldStrides, scan",
    "vector/FieldStrides, scanExactly",
    "vector/Utf8Strides, unfinished",
    "field/WordLines, scan",
    "FastFraming, readOther"
  })
  void loopsOverBytesAndRareLinesAreTooLongForC2(String type, String method) throws IOException {
    assertThat(codeLength(type, method)).isGreaterThan(INLINED_BY_C2_MAX);
  }

  @ParameterizedTest
  @CsvSource({"byteAt", "shortAt", "intAt", "longAt"})
  void loadsAreTooLongForC1(String load) throws IOException {
    assertThat(codeLength("scan/Memory", load)).isGreaterThan(INLINED_BY_C1_MAX);
  }

  /** Returns the length of the longest method of a name. */
  private static int codeLength(String type, String method) throws IOException {
    try (InputStream in = RequestParser.class.getResourceAsStream(type + ".class")) {
      ClassModel parsed = ClassFile.of().parse(Objects.requireNonNull(in).readAllBytes());
      return parsed.methods().stream()
          .filter(candidate -> candidate.methodName().equalsString(method))
          .mapToInt(CompiledApartTest::codeLength)
          .max()
          .orElseThrow();
    }
  }

  private static int codeLength(MethodModel method) {
    return ((CodeAttribute) method.code().orElseThrow()).codeLength();
  }
}
