package dev.peregrine.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class KnownHeaderTest {
  @ParameterizedTest
  @EnumSource
  void isFoundByItsNameInAnyCase(KnownHeader header) {
    assertThat(KnownHeader.of(header.fieldName())).isEqualTo(header);
    assertThat(KnownHeader.of(header.fieldName().toUpperCase(Locale.ROOT))).isEqualTo(header);
    assertThat(header.name()).isEqualToIgnoringCase(header.fieldName().replace('-', '_'));
  }

  @Test
  void hasTheNamesOfHeaderName() {
    Map<String, String> names = new TreeMap<>();
    Stream.of(HeaderName.class.getFields()).forEach(field -> names.put(field.getName(), of(field)));
    Map<String, String> known = new TreeMap<>();
    Stream.of(KnownHeader.values()).forEach(name -> known.put(name.name(), name.fieldName()));

    assertThat(known).isEqualTo(names);
  }

  private static String of(Field name) {
    try {
      return String.valueOf(name.get(null));
    } catch (IllegalAccessException notPublic) {
      throw new AssertionError(notPublic);
    }
  }

  @Test
  void isNullForOtherNames() {
    assertThat(KnownHeader.of("X-Unknown")).isNull();
    assertThat(KnownHeader.of("")).isNull();
    assertThat(KnownHeader.of("Set_Cookie")).isNull();
    assertThat(KnownHeader.of("Set\rCookie")).isNull(); // differs in the case bit
    assertThat(KnownHeader.of("Content-Lengt")).isNull();
    assertThat(KnownHeader.of("Content-Lengthh")).isNull();
  }

  @Test
  void isNullForLettersThatAreNotAscii() {
    assertThat(KnownHeader.of("\u212aeep-Alive")).isNull(); // lower case of the first is a k
    assertThat(KnownHeader.of("\u017ferver")).isNull(); // upper case of the first is an S
    assertThat(KnownHeader.of("\u0148ost")).isNull(); // its low byte is an H
  }

  @ParameterizedTest
  @EnumSource
  void isNullForANameThatDiffersInOneCharacter(KnownHeader header) {
    char[] name = header.fieldName().toCharArray();
    for (int i = 0; i < name.length; i++) {
      char right = name[i];
      name[i] = '#';
      assertThat(KnownHeader.of(new String(name))).isNull();
      name[i] = right;
    }
  }

  @Test
  void leavesOneBitForAllOtherNames() {
    assertThat(KnownHeader.namesRecognisedInRequests()).hasSizeLessThan(Long.SIZE);
    assertThat(KnownHeader.namesRecognisedInRequests())
        .allMatch(name -> name.matches("[A-Za-z0-9-]{1,32}"));
  }
}
