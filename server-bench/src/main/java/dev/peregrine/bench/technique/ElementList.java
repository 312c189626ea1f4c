package dev.peregrine.bench.technique;

import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A list of objects each of which is in one list, or in none. */
public sealed interface ElementList {
  void clear();

  void add(Element element);

  void remove(Element element);

  long sum();

  /** The kinds of lists. */
  enum Kind {
    LINKED_HASH_SET,
    NODES_APART,
    ARRAY_WITH_PLACES,
    INTRUSIVE;

    ElementList open() {
      return switch (this) {
        case LINKED_HASH_SET -> new Around(new LinkedHashSet<>());
        case NODES_APART -> new NodesApart();
        case ARRAY_WITH_PLACES -> new WithPlaces();
        case INTRUSIVE -> new Intrusive();
      };
    }
  }

  /** An object with all that a list may keep in it. */
  final class Element {
    final long value;
    private int place;
    private @Nullable Element next;
    private @Nullable Element previous;
    private @Nullable Node node;

    Element(long value) {
      this.value = value;
    }
  }

  /** A list that the objects know nothing of. */
  record Around(Collection<Element> elements) implements ElementList {
    @Override
    public void clear() {
      elements.clear();
    }

    @Override
    public void add(Element element) {
      elements.add(element);
    }

    @Override
    public void remove(Element element) {
      elements.remove(element);
    }

    @Override
    public long sum() {
      long sum = 0;
      for (Element element : elements) {
        sum += element.value;
      }
      return sum;
    }
  }

  /** A link of {@link NodesApart}. */
  final class Node {
    private final Element element;
    private @Nullable Node next;
    private @Nullable Node previous;

    private Node(Element element) {
      this.element = element;
    }
  }

  /** Links in nodes around the objects; each object keeps its node, so none is searched for. */
  final class NodesApart implements ElementList {
    private @Nullable Node first;
    private @Nullable Node last;

    @Override
    public void clear() {
      first = null;
      last = null;
    }

    @Override
    public void add(Element element) {
      Node node = new Node(element);
      element.node = node;
      node.previous = last;
      if (last == null) {
        first = node;
      } else {
        last.next = node;
      }
      last = node;
    }

    @Override
    public void remove(Element element) {
      Node node = Objects.requireNonNull(element.node);
      Node before = node.previous;
      Node after = node.next;
      if (before == null) {
        first = after;
      } else {
        before.next = after;
      }
      if (after == null) {
        last = before;
      } else {
        after.previous = before;
      }
    }

    @Override
    public long sum() {
      long sum = 0;
      for (Node node = first; node != null; node = node.next) {
        sum += node.element.value;
      }
      return sum;
    }
  }

  /** The server's list of connections: an array, in which the last object fills a gap. */
  final class WithPlaces implements ElementList {
    private @Nullable Element[] elements = new Element[10];
    private int size;

    @Override
    public void clear() {
      Arrays.fill(elements, 0, size, null);
      size = 0;
    }

    @Override
    public void add(Element element) {
      if (size == elements.length) {
        elements = Arrays.copyOf(elements, size + size / 2);
      }
      element.place = size;
      elements[size++] = element;
    }

    @Override
    public void remove(Element element) {
      Element last = Objects.requireNonNull(elements[--size]);
      elements[element.place] = last;
      last.place = element.place;
      elements[size] = null;
    }

    @Override
    public long sum() {
      long sum = 0;
      for (int i = 0; i < size; i++) {
        sum += Objects.requireNonNull(elements[i]).value;
      }
      return sum;
    }
  }

  /** Links in the objects. */
  final class Intrusive implements ElementList {
    private @Nullable Element first;
    private @Nullable Element last;

    @Override
    public void clear() {
      first = null;
      last = null;
    }

    @Override
    public void add(Element element) {
      element.next = null;
      element.previous = last;
      if (last == null) {
        first = element;
      } else {
        last.next = element;
      }
      last = element;
    }

    @Override
    public void remove(Element element) {
      Element before = element.previous;
      Element after = element.next;
      if (before == null) {
        first = after;
      } else {
        before.next = after;
      }
      if (after == null) {
        last = before;
      } else {
        after.previous = before;
      }
    }

    @Override
    public long sum() {
      long sum = 0;
      for (Element element = first; element != null; element = element.next) {
        sum += element.value;
      }
      return sum;
    }
  }
}
