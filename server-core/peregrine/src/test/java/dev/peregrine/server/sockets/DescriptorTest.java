package dev.peregrine.server.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The close of a descriptor: by its last user. */
final class DescriptorTest {
  private final Descriptor descriptor = new Descriptor();

  @Test
  void aCloseWithoutUsersClosesAtOnce() {
    assertThat(descriptor.beginClose()).isTrue();
    assertThat(descriptor.isShared()).isFalse();
    assertThat(descriptor.leave()).isTrue();
  }

  @Test
  void theLastUserClosesAndNobodyEntersMeanwhile() {
    assertThat(descriptor.enter()).isTrue();
    assertThat(descriptor.enter()).isTrue();
    assertThat(descriptor.leave()).isFalse();
    assertThat(descriptor.isClosing()).isFalse();

    assertThat(descriptor.beginClose()).isTrue();
    assertThat(descriptor.isShared()).isTrue();
    assertThat(descriptor.enter()).isFalse();
    assertThat(descriptor.beginClose()).isFalse();
    assertThat(descriptor.isClosing()).isTrue();
    assertThat(descriptor.leave()).isFalse();
    assertThat(descriptor.leave()).isTrue();
  }
}
