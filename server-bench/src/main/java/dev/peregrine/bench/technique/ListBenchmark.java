package dev.peregrine.bench.technique;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedList;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** Fills lists with the same objects and walks them: links in the objects, or lists around them. */
public class ListBenchmark extends Technique {
  private static final int ELEMENTS = 1000;

  /** The kinds of lists. */
  public enum Kind {
    LINKED_LIST,
    ARRAY_DEQUE,
    ARRAY_LIST,
    INTRUSIVE
  }

  @Param Kind form;

  private final Element[] elements = new Element[ELEMENTS];
  private FilledList list;

  /** Checks that the list has all elements. */
  @SuppressWarnings("JdkObsolete") // LinkedList is what is compared with
  @Setup
  public void setUp() {
    for (int i = 0; i < ELEMENTS; i++) {
      elements[i] = new Element(i);
    }
    list =
        switch (form) {
          case LINKED_LIST -> new Around(new LinkedList<>());
          case ARRAY_DEQUE -> new Around(new ArrayDeque<>());
          case ARRAY_LIST -> new Around(new ArrayList<>());
          case INTRUSIVE -> new Intrusive();
        };
    fill();
    check(walk() == ELEMENTS * (ELEMENTS - 1L) / 2, "sum of " + form);
  }

  /** Adds all elements to an empty list. */
  @Benchmark
  @OperationsPerInvocation(ELEMENTS)
  public void fill() {
    list.clear();
    for (Element element : elements) {
      list.add(element);
    }
  }

  /** Reads every element. */
  @Benchmark
  @OperationsPerInvocation(ELEMENTS)
  public long walk() {
    return list.sum();
  }

  private static final class Element {
    final long value;
    @Nullable Element next;

    Element(long value) {
      this.value = value;
    }
  }

  private sealed interface FilledList {
    void clear();

    void add(Element element);

    long sum();
  }

  private static final class Around implements FilledList {
    private final Collection<Element> elements;

    Around(Collection<Element> elements) {
      this.elements = elements;
    }

    @Override
    public void clear() {
      elements.clear();
    }

    @Override
    public void add(Element element) {
      elements.add(element);
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

  private static final class Intrusive implements FilledList {
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
      if (last == null) {
        first = element;
      } else {
        last.next = element;
      }
      last = element;
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
