package dev.peregrine.testing;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.NewPrimitiveArrayInstruction;
import java.lang.classfile.instruction.NewReferenceArrayInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.net.URL;
import java.util.Objects;

/**
 * Second copies of the server's classes, which call {@link FullHeapAt} before they allocate.
 * Classes of tests are copied without a change, so that they use those copies.
 */
public final class FullHeapClasses extends ClassLoader {
  private static final String OURS = "dev.peregrine.";
  private static final String SHARED = FullHeapAt.class.getName();
  private static final String TESTS = root(FullHeapClasses.class.getName());
  private static final ClassDesc CALLED = ClassDesc.of(SHARED);
  private static final MethodTypeDesc VOID = MethodTypeDesc.of(ConstantDescs.CD_void);

  private final ClassFile classFile =
      ClassFile.of(
          ClassHierarchyResolverOption.of(
              ClassHierarchyResolver.ofResourceParsing(FullHeapClasses.class.getClassLoader())));

  /** Classes of this test run. */
  public FullHeapClasses() {
    super(FullHeapClasses.class.getClassLoader());
  }

  private static String fileOf(String name) {
    return name.replace('.', '/') + ".class";
  }

  /** Returns where a class lies. */
  private static String root(String name) {
    URL url = FullHeapClasses.class.getClassLoader().getResource(fileOf(name));
    String found = url == null ? "" : url.toString();
    return found.substring(0, Math.max(0, found.length() - fileOf(name).length()));
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(OURS) || name.equals(SHARED)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? define(name) : loaded;
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    try (InputStream file = Objects.requireNonNull(getParent()).getResourceAsStream(fileOf(name))) {
      if (file == null) {
        throw new ClassNotFoundException(name);
      }
      byte[] code = file.readAllBytes();
      byte[] used = root(name).equals(TESTS) ? code : withCalls(code);
      return defineClass(name, used, 0, used.length);
    } catch (IOException failure) {
      throw new ClassNotFoundException(name, failure);
    }
  }

  private byte[] withCalls(byte[] code) {
    // a class whose initializer has failed could never be used
    ClassTransform transform =
        ClassTransform.transformingMethodBodies(
            method -> !method.methodName().equalsString(ConstantDescs.CLASS_INIT_NAME),
            FullHeapClasses::addCall);
    return classFile.transformClass(classFile.parse(code), transform);
  }

  private static void addCall(CodeBuilder builder, CodeElement element) {
    boolean allocates =
        switch (element) {
          case NewObjectInstruction _,
              NewPrimitiveArrayInstruction _,
              NewReferenceArrayInstruction _,
              InvokeDynamicInstruction _ ->
              true;
          default -> false;
        };
    if (allocates) {
      builder.invokestatic(CALLED, "beforeAllocation", VOID);
    }
    builder.with(element);
  }
}
