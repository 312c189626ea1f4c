package dev.peregrine.server.exchange.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.AttributeKey;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class AttributesTest {
  private static final AttributeKey<String> NAME = AttributeKey.of("name");
  private static final AttributeKey<String> SAME_NAME = AttributeKey.of("name");

  private final Attributes attributes = new Attributes();

  @Test
  void hasNothingAtFirst() {
    assertThat(attributes.get(NAME)).isNull();
    attributes.set(NAME, null);
    assertThat(attributes.get(NAME)).isNull();
  }

  @Test
  void distinguishesKeysOfOneName() {
    attributes.set(NAME, "a");
    attributes.set(SAME_NAME, "b");

    assertThat(attributes.get(NAME)).isEqualTo("a");
    assertThat(attributes.get(SAME_NAME)).isEqualTo("b");
  }

  @Test
  void replacesAndRemovesValues() {
    attributes.set(NAME, "a");
    attributes.set(SAME_NAME, "b");
    attributes.set(NAME, "c");
    attributes.set(SAME_NAME, null);

    assertThat(attributes.get(NAME)).isEqualTo("c");
    assertThat(attributes.get(SAME_NAME)).isNull();
  }

  @Test
  void keepsAsManyAsAreSetUntilItIsCleared() {
    List<AttributeKey<Integer>> keys = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      keys.add(AttributeKey.of("key " + i));
      attributes.set(keys.get(i), i);
    }
    for (int i = 0; i < 100; i++) {
      assertThat(attributes.get(keys.get(i))).isEqualTo(i);
    }

    attributes.clear();

    assertThat(keys).allSatisfy(key -> assertThat(attributes.get(key)).isNull());
  }

  /** Otherwise the name of a user could show the rest of a line in another order. */
  @Test
  void describesLoggedValuesAsVisibleText() {
    attributes.set(AttributeKey.<String>logged("user", name -> name), "al\u202e\nice");

    assertThat(attributes.describe()).isEqualTo(" (user: al??ice)");
  }
}
